// Uploads a file, reads its end, and replaces it only if nobody has changed it. Usage: node files_over_http.mjs URL TOKEN PATH
import { connect } from 'exec-server-client';
import { Transfers } from 'exec-server-client/node';

const [url, token, path] = process.argv.slice(2);
const client = await connect(url, { token });
const transfers = new Transfers(client);
await transfers.upload(new TextEncoder().encode('hello world'), path);
const end = await transfers.open(path, 6);
let text = '';
for await (const piece of end.content) text += Buffer.from(piece).toString();
console.log(text, end.size, 'bytes');
await transfers.upload(new TextEncoder().encode('changed'), path);
try {
  await transfers.upload(new TextEncoder().encode('too late'), path, { ifMatch: end.tag });
} catch (e) {
  console.log(e.name, (await client.files.readText(path)));
}
await client.end();
