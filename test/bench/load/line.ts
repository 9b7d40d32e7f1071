export interface Exchange {
  /** What to ask next; null when it is over. */
  next(): Buffer | null
  done(ms: number): void
}

const HEAD_END = '\r\n\r\n'

/** One keep-alive connection, spoken by hand: a client library would cost as much as the server does. */
export function openLine({ hostname, port }: URL, exchange: Exchange): Promise<void> {
  const over = Promise.withResolvers<void>()
  let received: Buffer = Buffer.alloc(0)
  let sentAt = 0
  const send = (socket: Bun.Socket) => {
    const request = exchange.next()
    if (request === null) {
      over.resolve()
      socket.end()
      return
    }
    sentAt = performance.now()
    socket.write(request)
  }
  Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: send,
      data(socket, chunk) {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
        const size = answerSize(received)
        if (size === null || received.length < size) return
        const failure = failureOf(received)
        if (failure) return over.reject(new Error(failure))
        received = Buffer.alloc(0)
        exchange.done(performance.now() - sentAt)
        send(socket)
      },
      close: () => over.reject(new Error('The server closed the connection.')),
      error: (_, error) => over.reject(error),
    },
  }).catch(over.reject)
  return over.promise
}

/** Of head and body; null while the head is not there in whole. */
function answerSize(received: Buffer): number | null {
  const headEnd = received.indexOf(HEAD_END)
  if (headEnd < 0) return null
  const length = /\r\ncontent-length: *(\d+)/i.exec(received.toString('latin1', 0, headEnd))?.[1]
  if (length === undefined) throw new Error('An answer without a content-length.')
  return headEnd + HEAD_END.length + Number(length)
}

const failureOf = (received: Buffer) => (received[9] === '2'.charCodeAt(0) ? null : received.toString('utf8').slice(0, 2_000))
