import { networkInterfaces } from 'node:os'
import type { Context } from '../../context.ts'

type Reads = Pick<Context, 'config' | 'listener'>

/** Addresses that stand for every interface of the machine. Browsers cannot open them. */
const WILDCARDS: readonly string[] = ['0.0.0.0', '::', '[::]', '*']
const LOOPBACK = /^(localhost|([\w-]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Returns the address of this server for mails, payment pages, webhooks and stored links: `PUBLIC_URL`, or the address that the process
 * listens on. Never derived from a request, because any client can forge the `Host` header.
 */
export const serverAddress = ({ config: { publicUrl, host }, listener }: Reads): string =>
  publicUrl ?? `http://${WILDCARDS.includes(host) ? 'localhost' : bracketed(host)}:${listener.port}`

/**
 * Returns the address of this server for the response to a request. Without `PUBLIC_URL`, callers on this machine get the name that they
 * used (`localhost` or `127.0.0.1`), because cookies and passkeys belong to that name. Any other `Host` is ignored.
 */
export function serverAddressFor(context: Reads, request: Request): string {
  if (context.config.publicUrl !== undefined) return context.config.publicUrl
  const url = URL.parse(request.url)
  return url && isLocalHost(url.hostname) ? url.origin : serverAddress(context)
}

/** Returns the public URL of a request: the server's address with the path and query of the request. */
export function publicUrlOf(context: Reads, request: Request): string {
  const { pathname, search } = new URL(request.url)
  return serverAddress(context) + pathname + search
}

/** Returns true if a host name, as `URL.hostname` formats it, always leads to this machine. */
export const isLocalHost = (hostname: string): boolean => LOOPBACK.test(hostname) || ownInterfaces().has(hostname)

let interfaces: { readonly names: ReadonlySet<string>; readonly until: number } | undefined
const INTERFACES_KEPT_MS = 60_000

function ownInterfaces(): ReadonlySet<string> {
  if (interfaces && interfaces.until > Date.now()) return interfaces.names
  const names = Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => bracketed(address)))
  interfaces = { names: new Set(names), until: Date.now() + INTERFACES_KEPT_MS }
  return interfaces.names
}

const bracketed = (host: string) => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
