// Runs commands through an exec-server on standard input and output: node command-exec.mjs SERVER [OPTION...]
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [program, ...options] = process.argv.slice(2);
const server = spawn(program, [...options, "--listen", "stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();
let lastId = 0;

createInterface({ input: server.stdout }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.method === "command/exec/outputDelta") {
    const { stream, deltaBase64 } = message.params;
    console.log(stream, Buffer.from(deltaBase64, "base64").toString().trim());
  } else if (waiting.has(message.id)) {
    const { resolve, reject } = waiting.get(message.id);
    waiting.delete(message.id);
    message.error ? reject(new Error(message.error.message)) : resolve(message.result);
  }
});

function call(method, params) {
  const id = ++lastId;
  server.stdin.write(JSON.stringify({ id, method, params }) + "\n");
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

await call("initialize", { clientInfo: { name: "example", version: "1" } });
const done = await call("command/exec", { command: ["sh", "-c", "echo buffered; exit 3"] });
console.log(done.exitCode, done.stdout.trim());

const streamed = call("command/exec", { command: ["cat"], processId: "cat", streamStdin: true, streamStdoutStderr: true });
const typed = Buffer.from("streamed\n").toString("base64");
await call("command/exec/write", { processId: "cat", deltaBase64: typed, closeStdin: true });
console.log((await streamed).exitCode);
server.stdin.end();
