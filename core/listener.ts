import { dlopen } from 'bun:ffi'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** State of a listening socket in `/proc/net/tcp`. */
const LISTENS = '0A'
const OWN_FILES = '/proc/self/fd'

const [TCP, DEFER_ACCEPT] = [6, 9]
const LIBC = 'libc.so.6'
const CALLS = {
  dup2: { args: ['int', 'int'], returns: 'int' },
  setsockopt: { args: ['int', 'int', 'int', 'ptr', 'int'], returns: 'int' },
} as const

/** Socket of this process that listens on a port, apart from the server that reads it. */
export interface ListeningSocket {
  /**
   * Accepts connections as soon as they are established. By default the kernel holds them back until the first bytes arrive, and resets the
   * held ones when the socket is closed.
   */
  acceptImmediately(): void
  /** Closes only the listening socket. New connections reach other processes; accepted ones continue. */
  close(): void
}

/**
 * Finds the socket on which this process listens. Returns undefined if the system is not Linux or uses another C library than glibc; the
 * socket is then closed together with its server.
 */
export function findListeningSocket(port: number): ListeningSocket | undefined {
  const listening = findOwnSocket(port)
  const libc = listening === undefined ? undefined : openLibc()
  if (listening === undefined || !libc) return undefined
  return {
    acceptImmediately() {
      libc.symbols.setsockopt(listening, TCP, DEFER_ACCEPT, new Int32Array([0]), Int32Array.BYTES_PER_ELEMENT)
    },
    close() {
      const nothing = openSync('/dev/null', 'r')
      libc.symbols.dup2(nothing, listening)
      closeSync(nothing)
    },
  }
}

function openLibc() {
  try {
    return dlopen(LIBC, CALLS)
  } catch {
    return undefined
  }
}

function findOwnSocket(port: number): number | undefined {
  if (!existsSync(OWN_FILES)) return undefined
  const sockets = new Set(['tcp', 'tcp6'].flatMap((family) => findSockets(port, `/proc/self/net/${family}`)))
  for (const name of readdirSync(OWN_FILES)) if (sockets.has(readLink(`${OWN_FILES}/${name}`))) return Number(name)
  return undefined
}

function findSockets(port: number, table: string): string[] {
  if (!existsSync(table)) return []
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return readFileSync(table, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === LISTENS && local?.endsWith(suffix))
    .map((columns) => `socket:[${columns[9]}]`)
}

function readLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    // The descriptor was closed in the meantime.
    return ''
  }
}
