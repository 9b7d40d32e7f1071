import { networkInterfaces } from 'node:os'
import type { Context } from '../../context.ts'

type Reads = Pick<Context, 'config' | 'listener'>

/** Addresses that mean every interface of the machine, which no browser can open. */
const WILDCARDS: readonly string[] = ['0.0.0.0', '::', '[::]', '*']
const LOOPBACK = /^(localhost|([\w-]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Address of this server for mails, payment pages, webhooks and everything else that is stored or told to others: `PUBLIC_URL`, else where the
 * process listens. Never read from a request, whose `Host` anybody can write.
 */
export const ownAddress = ({ config: { publicUrl, host }, listener }: Reads): string =>
  publicUrl ?? `http://${WILDCARDS.includes(host) ? 'localhost' : bracketed(host)}:${listener.port}`

/**
 * The same address for an answer to this very request. Without `PUBLIC_URL` a caller on this machine is answered by the name that they used
 * (`localhost` or `127.0.0.1`), since cookies and passkeys belong to that name. Every other `Host` is ignored.
 */
export function addressFor(context: Reads, request: Request): string {
  if (context.config.publicUrl !== undefined) return context.config.publicUrl
  const url = URL.parse(request.url)
  return url && isOfThisMachine(url.hostname) ? url.origin : ownAddress(context)
}

/** The address under which the outside has asked: our own, with the path and query of the request. */
export function addressAsked(context: Reads, request: Request): string {
  const { pathname, search } = new URL(request.url)
  return ownAddress(context) + pathname + search
}

/** Whether a host name, as `URL.hostname` writes it, always leads to this machine. */
export const isOfThisMachine = (hostname: string): boolean => LOOPBACK.test(hostname) || ownInterfaces().has(hostname)

let interfaces: { readonly names: ReadonlySet<string>; readonly until: number } | undefined
const INTERFACES_KEPT_MS = 60_000

function ownInterfaces(): ReadonlySet<string> {
  if (interfaces && interfaces.until > Date.now()) return interfaces.names
  const names = Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => bracketed(address)))
  interfaces = { names: new Set(names), until: Date.now() + INTERFACES_KEPT_MS }
  return interfaces.names
}

const bracketed = (host: string) => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
