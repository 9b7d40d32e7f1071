import { isIP } from 'node:net'
import { addressRefusal, type HostResolver, hostOf, isPublicAddress } from './addresses.ts'
import { withinDeadline } from './deadline.ts'
import { OutboundError } from './outbound-error.ts'
import type { OutboundRequest, OutboundRules } from './outbound-request.ts'

const ADDRESSES_TRIED = 3

const refuse = (message: string) => new OutboundError('refused', message, { wasSent: false })

/** Rules with the resolver that applies. */
export type OpenRules = OutboundRules & { readonly resolve: HostResolver }

/** Address to connect to, with the host and the name of the certificate. */
export interface Target {
  readonly url: string
  readonly host: string
  readonly serverName?: string
}

/** Returns true if a host matches a list of names and `*.` patterns. */
export const isDeclaredHost = (host: string, allowed: readonly string[]) =>
  allowed.some((pattern) => pattern === host || (pattern.startsWith('*.') && host.endsWith(pattern.slice(1))))

const simulatorFor = (host: string, { simulators = {} }: OutboundRules): string | undefined =>
  simulators[host] ?? Object.entries(simulators).find(([pattern]) => isDeclaredHost(host, [pattern]))?.[1]

/**
 * Returns the targets to connect to. Resolves the host once, checks every address and pins the connection to one of them. The certificate
 * is checked for the name (`serverName`), and connections are pooled by it.
 */
export async function resolveTargets(
  { url: address, allowedHosts }: OutboundRequest,
  rules: OpenRules,
  deadline: AbortSignal,
): Promise<Target[]> {
  const named = URL.parse(address)
  const simulator = named ? simulatorFor(hostOf(named), rules) : undefined
  const refusal = addressRefusal(address, simulator ? { allowPrivate: true } : rules)
  if (refusal) throw refuse(refusal)
  const url = new URL(address)
  const host = hostOf(url)
  if (allowedHosts && !isDeclaredHost(host, allowedHosts)) throw refuse(`The host ${host} was not declared.`)
  if (simulator) return [{ url: `${simulator.replace(/\/+$/, '')}${url.pathname}${url.search}`, host: url.host }]
  const addresses = await resolvePublic(host, rules, deadline)
  const certified = url.protocol === 'https:' && !isIP(host) ? { serverName: host } : {}
  return addresses.slice(0, ADDRESSES_TRIED).map((pinned) => {
    const at = new URL(url)
    at.hostname = isIP(pinned) === 6 ? `[${pinned}]` : pinned
    at.hash = ''
    return { url: at.href, host: url.host, ...certified }
  })
}

async function resolvePublic(name: string, rules: OpenRules, deadline: AbortSignal): Promise<readonly string[]> {
  const addresses = isIP(name) ? [name] : await withinDeadline(rules.resolve(name), deadline)
  if (addresses.length === 0) throw new OutboundError('unresolved', `The host ${name} has no address.`, { wasSent: false })
  if (!rules.allowPrivate && !addresses.every(isPublicAddress)) throw refuse(`The host ${name} leads into a private network.`)
  return addresses
}
