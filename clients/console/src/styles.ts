/**
 * The page's policy forbids style elements that a script makes, and xterm.js makes some. A style sheet that a script constructs is
 * allowed, as it can only come from the page's own script: so the text of such an element goes into one, and an empty element stands
 * in its place.
 */
export function adoptStyleElements(): void {
  const create = document.createElement.bind(document);
  document.createElement = ((name: string, options?: ElementCreationOptions) =>
    name === 'style' ? adopted(create('span')) : create(name, options)) as typeof document.createElement;
}

function adopted(element: HTMLElement): HTMLElement {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  let text = '';
  Object.defineProperty(element, 'textContent', {
    get: () => text,
    set: (value: string) => {
      text = value;
      sheet.replaceSync(value);
    },
  });
  element.hidden = true;
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter(other => other !== sheet);
    HTMLElement.prototype.remove.call(element);
  };
  return element;
}
