import { h } from './dom.js';

/** What the server gives for a token. The page keeps the key of its tab and forgets the token. */
export interface Login {
  key: string;
  write: boolean;
}

const STORE = 'exec-server-console';

/** Where this server is: the page is at `.../console`. */
export const base = new URL('./', location.href);

export function remembered(): Login | undefined {
  try {
    const login = JSON.parse(sessionStorage.getItem(STORE) ?? 'null');
    return typeof login?.key === 'string' ? login : undefined;
  } catch {
    return undefined;
  }
}

export function remember(login: Login | undefined): void {
  if (login) sessionStorage.setItem(STORE, JSON.stringify(login));
  else sessionStorage.clear();
}

/** Returns true if the server still knows the key; undefined if it cannot be reached. */
export async function stillValid(login: Login): Promise<boolean | undefined> {
  try {
    const answer = await fetch(new URL('console/files?path=/', base), { method: 'HEAD', headers: authorization(login) });
    return answer.status !== 401;
  } catch {
    return undefined;
  }
}

export function authorization(login: Login): Record<string, string> {
  return { Authorization: `Bearer ${login.key}` };
}

export async function logout(login: Login): Promise<void> {
  remember(undefined);
  await fetch(new URL('console/logout', base), { method: 'POST', headers: authorization(login) }).catch(() => {});
}

/** Shows the form, and calls back when somebody has logged in. */
export function loginPage(said: string, done: (login: Login) => void): HTMLElement {
  const problem = h('p', { class: 'problem', role: 'alert', id: 'login-problem' }, said);
  const token = h('input', {
    id: 'token',
    type: 'password',
    autocomplete: 'current-password',
    spellcheck: 'false',
    'aria-describedby': 'login-problem',
  });
  const button = h('button', { type: 'submit', class: 'primary' }, 'Log in');
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    button.disabled = true;
    problem.textContent = '';
    try {
      const answer = await fetch(new URL('console/login', base), { method: 'POST', body: token.value.trim() });
      if (answer.ok) {
        token.value = '';
        const login: Login = await answer.json();
        remember(login);
        done(login);
        return;
      }
      const why = (await answer.text()).trim();
      problem.textContent = answer.status === 401 ? `This token is not accepted (${why}).` : `The server refuses: ${why}`;
    } catch {
      problem.textContent = 'The server cannot be reached.';
    }
    button.disabled = false;
    token.select();
  };
  const page = h(
    'main',
    { class: 'login' },
    h(
      'form',
      { class: 'card', onsubmit: submit },
      h('h1', {}, 'exec-server'),
      h('p', { class: 'quiet' }, `Console of ${base.host}`),
      h('label', { for: 'token' }, 'Token'),
      token,
      problem,
      button,
      h('p', { class: 'quiet small' }, 'The token that clients of this server use. It is sent once, and not kept in the browser.'),
    ),
  );
  queueMicrotask(() => token.focus());
  return page;
}
