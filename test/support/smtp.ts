import { afterAll } from 'bun:test'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { type ReadMail, readMail } from './outbox.ts'

export const ACCOUNT = { user: 'post@shop.example', pass: 'a secret of the mail server' }

/** What the server does with the next mails; it takes them where nothing is said. */
export interface Manner {
  /** Answer to a command that names a recipient. */
  recipient?: { readonly code: number; readonly says: string }
  /** Takes the mail, and hangs up before it says so. */
  hangsUp?: boolean
  /** Lets nobody in. */
  locked?: boolean
}

/** A real mail server that wants a password. */
export async function smtpServer() {
  const got: ReadMail[] = []
  const manner: Manner = {}
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _, done) {
      if (manner.locked || username !== ACCOUNT.user || password !== ACCOUNT.pass)
        return done(Object.assign(new Error(`${password} is not the password`), { responseCode: 535 }))
      done(null, { user: username })
    },
    onRcptTo(_, __, done) {
      const { recipient } = manner
      done(recipient ? Object.assign(new Error(recipient.says), { responseCode: recipient.code }) : null)
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        got.push(readMail(Buffer.concat(chunks).toString()))
        if (!manner.hangsUp) return done()
        delete manner.hangsUp
        for (const connection of server.connections) {
          const { id, _socket } = connection as unknown as { id: string; _socket: { destroy(): void } }
          if (id === session.id) _socket.destroy()
        }
      })
    },
  })
  // A client that was hung up on is no failure of the test.
  server.on('error', () => {})
  const listen = (port: number) => new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', () => resolve()))
  await listen(0)
  const { port } = server.server.address() as AddressInfo
  afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  const url = `smtp://${encodeURIComponent(ACCOUNT.user)}:${encodeURIComponent(ACCOUNT.pass)}@127.0.0.1:${port}`
  return { url, got, manner }
}
