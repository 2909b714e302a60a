// A process that is nothing but a pipe: its standard input goes to a socket, and the socket controls it. Frames are a
// letter, a length of four bytes, and that many bytes.
import { connect } from 'node:net'

const socket = connect(Number(process.argv[2]), '127.0.0.1')
let pending = Buffer.alloc(0)
const deeds = {
  o: (bytes) => process.stdout.write(bytes),
  e: (bytes) => process.stderr.write(bytes),
  // Earlier output has to be written first.
  x: (bytes) => process.stdout.write('', () => process.exit(bytes[0])),
  k: () => process.stdout.write('', () => process.kill(process.pid, 'SIGKILL')),
  c: () => process.stdout.end(),
}

socket.on('data', (chunk) => {
  pending = Buffer.concat([pending, chunk])
  while (pending.length >= 5 && pending.length >= 5 + pending.readUInt32BE(1)) {
    const end = 5 + pending.readUInt32BE(1)
    deeds[String.fromCharCode(pending[0])](pending.subarray(5, end))
    pending = pending.subarray(end)
  }
})
socket.on('close', () => process.exit(0))
socket.on('error', () => process.exit(0))
process.stdin.pipe(socket)
