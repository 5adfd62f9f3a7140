// Copies a directory to the server. Usage: node upload_tree.mjs URL SOURCE TARGET
import { connect } from 'exec-server-client';
import { uploadTree } from 'exec-server-client/node';

const [url, source, target] = process.argv.slice(2);
const client = await connect(url);
const copied = await uploadTree(client, source, target);
console.log(`${copied.files} files, ${copied.bytes} bytes`);
await client.end();
