import { createSocket } from 'node:dgram'

const TYPES = { 1: 'A', 5: 'CNAME', 16: 'TXT', 28: 'AAAA' } as const
type Type = (typeof TYPES)[keyof typeof TYPES]

/** What a name has, by type. */
export type Zone = Record<string, Partial<Record<Type, readonly string[]>>>

const nameBytes = (name: string) =>
  Buffer.concat([...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])), Buffer.from([0])])

const dataOf: Readonly<Record<Type, (value: string) => Buffer>> = {
  A: (value) => Buffer.from(value.split('.').map(Number)),
  AAAA: (value) => Buffer.from(value.split(':').flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])),
  CNAME: nameBytes,
  TXT: (value) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]),
}

/** A name server of its own, over UDP as RFC 1035 says: answers from `zone`, which a test changes as it goes; nothing while it is `away`. */
export async function startDns() {
  const zone: Zone = {}
  const asked: string[] = []
  const server = { zone, asked, away: false, address: '', stop: () => void socket.close() }
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    if (server.away) return
    const labels: string[] = []
    let at = 12
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += length + 1
    }
    const name = labels.join('.').toLowerCase()
    const code = query.readUInt16BE(at + 1)
    const type = TYPES[code as keyof typeof TYPES]
    asked.push(`${type} ${name}`)
    const known = zone[name]
    const answers = (type && known?.[type]) ?? []
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(0x8400 | (head.readUInt16BE(2) & 0x0100) | 0x0080 | (known ? 0 : 3), 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(answers.length, 6)
    head.writeUInt32BE(0, 8)
    const records = answers.map((value) => {
      const data = dataOf[type!](value)
      const record = Buffer.alloc(12)
      record.writeUInt16BE(0xc00c, 0)
      record.writeUInt16BE(code, 2)
      record.writeUInt16BE(1, 4)
      record.writeUInt16BE(data.length, 10)
      return Buffer.concat([record, data])
    })
    socket.send(Buffer.concat([head, query.subarray(12, at + 5), ...records]), from.port, from.address)
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.bind(0, '127.0.0.1', resolve)
  await promise
  server.address = `127.0.0.1:${socket.address().port}`
  return server
}
