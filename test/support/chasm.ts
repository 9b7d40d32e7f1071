import type { Socket, TCPSocketListener } from 'bun'

/** A way to a port of this machine that can open under those who are on it. */
export interface Chasm {
  readonly port: number
  /** From now on nothing passes and nothing is closed, as when a host is gone from the network. */
  swallow(): void
  /** New connections pass again; those that were swallowed stay so. */
  restore(): void
  close(): Promise<void>
}

interface Ends {
  other: Socket<Ends> | undefined
  early: Uint8Array[]
  swallowed: boolean
}

export async function openChasm(to: number): Promise<Chasm> {
  let open = false
  const all = new Set<Socket<Ends>>()
  const pass = (socket: Socket<Ends>, bytes: Uint8Array) => {
    const { other, early, swallowed } = socket.data
    if (swallowed) return
    if (other) other.write(bytes)
    else early.push(bytes.slice())
  }
  const leave = (socket: Socket<Ends>) => {
    all.delete(socket)
    if (!socket.data.swallowed) socket.data.other?.end()
  }
  const listener: TCPSocketListener<Ends> = Bun.listen<Ends>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      async open(socket) {
        socket.data = { other: undefined, early: [], swallowed: open }
        all.add(socket)
        if (open) return
        const made = await Bun.connect<Ends>({
          hostname: '127.0.0.1',
          port: to,
          data: { other: socket, early: [], swallowed: false },
          socket: { data: pass, close: leave, error: leave },
        }).catch(() => undefined)
        if (!made) return void socket.end()
        all.add(made)
        socket.data.other = made
        for (const bytes of socket.data.early.splice(0)) made.write(bytes)
      },
      data: pass,
      close: leave,
      error: leave,
    },
  })
  return {
    port: listener.port,
    swallow() {
      open = true
      for (const socket of all) socket.data.swallowed = true
    },
    restore() {
      open = false
    },
    async close() {
      for (const socket of all) socket.terminate()
      listener.stop(true)
    },
  }
}
