// The cost of rules for each program that a command executes.
import { Server, readOnly, sideBySide } from '../lib.mjs';

const EXECS = 500;
const SCRIPT = `i=0; while [ $i -lt ${EXECS} ]; do /bin/true; [ $? = $1 ] || exit 3; i=$((i+1)); done 2>/dev/null`;
const FALSE = { pattern: ['/usr/bin/false'], decision: 'forbidden' };
const TRUE = ['/usr/bin/true'];

export const title = `milliseconds per execution, ${EXECS} of /bin/true from one sandboxed shell`;

export async function run({ program, rounds }) {
  const server = await Server.start(program);
  const variant = (status, execPolicy) => async () => {
    const { ms, code } = await server.run(['sh', '-c', SCRIPT, 'sh', `${status}`],
      { sandbox: readOnly, ...(execPolicy ? { execPolicy } : {}) });
    if (code !== 0) throw new Error(`the shell ended with ${code}`);
    return ms / EXECS;
  };
  try {
    return await sideBySide({
      plain: variant(0),
      allowed: variant(0, { prefixRules: [FALSE] }),
      denied: variant(126, { prefixRules: [{ pattern: TRUE, decision: 'forbidden' }] }),
      escalated: variant(0, { prefixRules: [{ pattern: TRUE, decision: 'allow' }], allowed: 'escalate' }),
    }, rounds);
  } finally {
    await server.stop();
  }
}
