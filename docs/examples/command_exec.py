"""Runs commands through an exec-server on standard input and output: python3 command_exec.py SERVER [OPTION...]"""
import base64, json, subprocess, sys

server = subprocess.Popen(sys.argv[1:] + ["--listen", "stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
last_id = 0


def send(method, params):
    global last_id
    last_id += 1
    print(json.dumps({"id": last_id, "method": method, "params": params}), file=server.stdin, flush=True)
    return last_id


def answer(request_id, on_output=lambda stream, data: None):
    for line in server.stdout:
        message = json.loads(line)
        if message.get("method") == "command/exec/outputDelta":
            params = message["params"]
            on_output(params["stream"], base64.b64decode(params["deltaBase64"]))
        elif message.get("id") == request_id:
            if "error" in message:
                raise RuntimeError(message["error"]["message"])
            return message["result"]
    raise EOFError("the server has ended")


answer(send("initialize", {"clientInfo": {"name": "example", "version": "1"}}))
done = answer(send("command/exec", {"command": ["sh", "-c", "echo buffered; exit 3"]}))
print(done["exitCode"], done["stdout"].strip())

streamed = send("command/exec", {"command": ["cat"], "processId": "cat", "streamStdin": True, "streamStdoutStderr": True})
typed = base64.b64encode(b"streamed\n").decode()
send("command/exec/write", {"processId": "cat", "deltaBase64": typed, "closeStdin": True})
done = answer(streamed, lambda stream, data: print(stream, data.decode().strip()))
print(done["exitCode"])
server.stdin.close()
sys.exit(server.wait())
