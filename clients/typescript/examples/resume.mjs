// Leaves a session and takes it up again later. Usage: node resume.mjs URL
import { connect } from 'exec-server-client';

const first = await connect(process.argv[2], { sessionTtlMs: 60_000 });
await first.exec(['sh', '-c', 'sleep 300']);
first.close(); // the program runs on

const again = await connect(process.argv[2], { resume: first.sessionId });
for (const running of await again.listProcesses()) console.log('still runs:', running.argv.join(' '));
await again.end(); // ends the program, too
