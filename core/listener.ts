import { dlopen } from 'bun:ffi'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** As the kernel writes it: a socket that listens. */
const LISTENS = '0A'
const OWN_FILES = '/proc/self/fd'

const [TCP, DEFER_ACCEPT] = [6, 9]
const LIBC = 'libc.so.6'
const CALLS = {
  dup2: { args: ['int', 'int'], returns: 'int' },
  setsockopt: { args: ['int', 'int', 'int', 'ptr', 'int'], returns: 'int' },
} as const

/** The socket of this process that listens on a port, apart from the server that reads it. */
export interface Listener {
  /**
   * Connections are taken as soon as they are there. Otherwise the system keeps them until something was asked, and breaks off those that it
   * keeps when the socket is closed.
   */
  takeAtOnce(): void
  /** Closes it and nothing else: who connects from then on comes to another process, and connections that were taken go on. */
  close(): void
}

/** Undefined where the system is not Linux, or has another C library: there the socket is closed with its server. */
export function listenerOn(port: number): Listener | undefined {
  const listening = ownListener(port)
  const libc = listening === undefined ? undefined : open()
  if (listening === undefined || !libc) return undefined
  return {
    takeAtOnce() {
      libc.symbols.setsockopt(listening, TCP, DEFER_ACCEPT, new Int32Array([0]), Int32Array.BYTES_PER_ELEMENT)
    },
    close() {
      const nothing = openSync('/dev/null', 'r')
      libc.symbols.dup2(nothing, listening)
      closeSync(nothing)
    },
  }
}

function open() {
  try {
    return dlopen(LIBC, CALLS)
  } catch {
    return undefined
  }
}

function ownListener(port: number): number | undefined {
  if (!existsSync(OWN_FILES)) return undefined
  const sockets = new Set(['tcp', 'tcp6'].flatMap((family) => listenersOn(port, `/proc/self/net/${family}`)))
  for (const name of readdirSync(OWN_FILES)) if (sockets.has(linkOf(`${OWN_FILES}/${name}`))) return Number(name)
  return undefined
}

function listenersOn(port: number, table: string): string[] {
  if (!existsSync(table)) return []
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return readFileSync(table, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === LISTENS && local?.endsWith(suffix))
    .map((columns) => `socket:[${columns[9]}]`)
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    // It was closed meanwhile.
    return ''
  }
}
