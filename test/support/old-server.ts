// The least of a PostgreSQL server: lets everybody in, and answers every query with one row of texts.
// For what no real server here can show, such as being too old.
import { createServer, type Server, type Socket } from 'node:net';

function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

const int16 = (value: number): Buffer => {
  const buffer = Buffer.alloc(2);
  buffer.writeInt16BE(value);
  return buffer;
};
const int32 = (value: number): Buffer => {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
};

const TEXT_OID = 25;
const READY = message('Z', Buffer.from('I'));

function answer(row: Record<string, string>): Buffer {
  const names = Object.keys(row);
  const fields = names.map((name) =>
    Buffer.concat([Buffer.from(`${name}\0`), int32(0), int16(0), int32(TEXT_OID), int16(-1), int32(-1), int16(0)]),
  );
  const values = Object.values(row).map((value) =>
    Buffer.concat([int32(Buffer.byteLength(value)), Buffer.from(value)]),
  );
  return Buffer.concat([
    message('T', Buffer.concat([int16(names.length), ...fields])),
    message('D', Buffer.concat([int16(names.length), ...values])),
    message('C', Buffer.from('SELECT 1\0')),
    READY,
  ]);
}

/** Messages are small and come one by one, so each chunk is taken for one message. */
export function startOldServer(row: Record<string, string>): Promise<{ databaseUrl: string; close(): void }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    let isGreeted = false;
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      if (!isGreeted) {
        isGreeted = true;
        socket.write(Buffer.concat([message('R', int32(0)), READY]));
      } else if (chunk[0] === 'Q'.charCodeAt(0)) socket.write(answer(row));
      else socket.end();
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('no port');
      resolve({
        databaseUrl: `postgresql://someone:secret@127.0.0.1:${address.port}/db`,
        close() {
          for (const socket of sockets) socket.destroy();
          server.close();
        },
      });
    });
  });
}
