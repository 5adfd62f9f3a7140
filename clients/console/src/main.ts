import { App } from './app.js';
import { loginPage, remember, remembered, stillValid, type Login } from './login.js';
import { adoptStyleElements } from './styles.js';

adoptStyleElements();

function show(page: HTMLElement): void {
  document.body.replaceChildren(page);
}

function askForToken(said = ''): void {
  remember(undefined);
  show(loginPage(said, begin));
}

function begin(login: Login): void {
  const app = new App(login, askForToken);
  show(app.element);
  void app.start();
}

async function main(): Promise<void> {
  const login = remembered();
  if (!login) askForToken();
  else if ((await stillValid(login)) === false) askForToken('Your log-in has ended.');
  else begin(login);
}

void main();
