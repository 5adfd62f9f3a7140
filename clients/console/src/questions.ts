import type { Client } from '../../typescript/src/index.js';
import { h, setText } from './dom.js';
import { commandLine, visible } from './format.js';

type Json = Record<string, any>;

/**
 * Questions about programs, as cards. Those of a session come to this page when its client, or the operator, has given a token for it
 * (exec/approve).
 */
export class Questions {
  readonly element = h('section', { class: 'questions', 'aria-label': 'Questions', 'aria-live': 'polite' });
  readonly form: HTMLElement;
  private readonly said = h('p', { class: 'small quiet', role: 'status' });
  private readonly cards = new Map<string, () => void>();
  /** The sessions that the rights belong to, by the ids of the rights. */
  private readonly sessions = new Map<string, string>();
  private client: Client | undefined;

  constructor() {
    const token = h('input', { id: 'approver', type: 'password', autocomplete: 'off', spellcheck: 'false' });
    this.form = h(
      'details',
      { class: 'pad' },
      h('summary', {}, 'Answer questions'),
      h(
        'form',
        { onsubmit: (event: Event) => { event.preventDefault(); void this.approve(token); } },
        h('label', { for: 'approver' }, 'Token of an approver'),
        token,
        h('button', { type: 'submit' }, 'Answer for this session'),
        this.said,
      ),
    );
  }

  /** Takes the questions of a new connection. */
  of(client: Client): void {
    this.clear();
    this.client = client;
    client.onRequest('exec/approval', params => this.ask(params));
    client.onApprovalClosed(params => this.cards.get(key(params))?.());
  }

  /** Takes all cards away. */
  clear(): void {
    for (const close of [...this.cards.values()]) close();
  }

  private async approve(token: HTMLInputElement): Promise<void> {
    try {
      const granted: Json = await this.client!.approve(token.value.trim());
      token.value = '';
      this.sessions.set(granted.approverId, sessionOf(granted));
      this.element.querySelectorAll<HTMLElement>('[data-right]').forEach(name => setText(name, this.askedBy(name.dataset.right)));
      setText(this.said, `Questions of ${sessionOf(granted)} come here now.`);
    } catch (e) {
      setText(this.said, visible(e instanceof Error ? e.message : e));
    }
  }

  /** Questions can come before the server has said whose they are. */
  private askedBy(right: string | undefined): string {
    if (right === undefined) return 'this page';
    return this.sessions.get(right) ?? `another session, right ${visible(right)}`;
  }

  private ask(question: Json): Promise<Json> {
    return new Promise(answered => {
      this.cards.get(key(question))?.(); // asked again after a lost connection
      const remember = h('select', { 'aria-label': 'Remember the answer' },
        h('option', { value: '' }, 'this time'),
        h('option', { value: 'command' }, 'for this command'),
        h('option', { value: 'session' }, 'for the session'));
      const answer = (decision: string) => (): void => {
        settle({ decision, ...(remember.value === '' ? {} : { remember: remember.value }) });
      };
      const why = question.justification ?? question.matches?.[0]?.rule;
      const element = h(
        'article',
        { class: 'note question' },
        h('strong', {}, question.sandboxed ? 'May this program run?' : 'May this program run, without a sandbox?'),
        h('p', {}, h('code', {}, commandLine(question.argv))),
        h('p', { class: 'small' }, 'Asked by ', h('strong', { 'data-right': question.approverId }, this.askedBy(question.approverId))),
        h('p', { class: 'small' }, `${visible(question.program)} in ${visible(question.cwd)}${question.pid === undefined ? '' : `, pid ${question.pid}`}`),
        why !== undefined && h('p', { class: 'small' }, `Asked because: ${visible(why)}`),
        h(
          'div',
          { class: 'toolbar' },
          h('button', { type: 'button', onclick: answer('run') }, 'Run'),
          question.sandboxed && h('button', { type: 'button', class: 'danger', onclick: answer('escalate') }, 'Run without sandbox'),
          h('button', { type: 'button', class: 'primary', onclick: answer('deny') }, 'Deny'),
          remember,
        ),
      );
      const settle = (given: Json): void => {
        element.remove();
        this.cards.delete(key(question));
        answered(given);
      };
      // A question that needs no answer any more gets one, which the server ignores: the client counts those that have none.
      this.cards.set(key(question), () => settle({ decision: 'deny' }));
      this.element.append(element);
    });
  }
}

/** Names a session by what its client says, and by the right: others can have the same names. */
function sessionOf(granted: Json): string {
  const client = visible(granted.clientName);
  const name = granted.sessionName == null ? client : `${visible(granted.sessionName)} (${client})`;
  return `${name}, right ${visible(granted.approverId)}`;
}

function key(question: Json): string {
  return `${question.approverId ?? ''} ${question.processId} ${question.execId}`;
}
