/** Elements are made by these functions only, and text is put into them as text: nothing that a program has written becomes HTML. */

type Child = Node | string | undefined | false;
type Properties = Record<string, string | number | boolean | ((event: any) => void) | undefined>;

/** Makes an element. A property `onclick` is a listener, `class` and all others are attributes; `true` is one without a value. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === 'function') element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== undefined && value !== false) element.setAttribute(key, String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/** Sets a text, and leaves it alone when it is the same. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Shows the children in this order, and moves only what is not at its place: the focus stays where it is. */
export function arrange(parent: Element, children: readonly Element[]): void {
  const wanted = new Set(children);
  for (const old of [...parent.children]) if (!wanted.has(old)) old.remove();
  children.forEach((child, at) => {
    if (parent.children[at] !== child) parent.insertBefore(child, parent.children[at] ?? null);
  });
}

/** Offers bytes as a file. */
export function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = h('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
