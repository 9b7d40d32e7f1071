import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/**
 * Networks that a URL from a caller must not lead into (RFC 6890 and others). IPv4 and IPv6 have separate lists, because Bun matches an
 * IPv4 address against the IPv6 rule for mapped addresses.
 */
const FORBIDDEN_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** Allocated IPv6 space. All other addresses are private or stand for IPv4 addresses. */
const ALLOCATED_V6 = ['2000::/3']
const FORBIDDEN_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']
const forbidden = { ipv4: blockList(FORBIDDEN_V4, 'ipv4'), ipv6: blockList(FORBIDDEN_V6, 'ipv6') } as const
const allocatedV6 = blockList(ALLOCATED_V6, 'ipv6')
const FORBIDDEN_NAMES = /(^|\.)(localhost|local|internal|intranet|home\.arpa|localdomain)$/

function blockList(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address, bits] = network.split('/') as [string, string]
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** Returns true if an address literal is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 0 || address.includes('%')) return false
  if (version === 4) return !forbidden.ipv4.check(address, 'ipv4')
  return allocatedV6.check(address, 'ipv6') && !forbidden.ipv6.check(address, 'ipv6')
}

/**
 * Returns the unit by which an address is counted: the IPv4 address, or the /64 network in IPv6, where one subscriber has 2^64 addresses.
 * Returns a text that is not an address unchanged.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  const [head = '', tail] = address.replace(/%.*/, '').split('::')
  const groups = (text: string) => text.split(':').filter(Boolean)
  const zeros = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length - (tail.includes('.') ? 1 : 0)
  const all = [...groups(head), ...Array.from({ length: zeros }, () => '0'), ...groups(tail ?? '')]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/** Returns the reason why a URL must not be called, as far as it is known without a DNS lookup. Null if it may be called. */
export function addressRefusal(address: string, { allowPrivate }: { readonly allowPrivate: boolean }): string | null {
  const url = URL.parse(address)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'Only http and https addresses can be called.'
  if (url.username || url.password) return 'Addresses with a user name or password are not called.'
  if (allowPrivate) return null
  if (url.protocol === 'http:') return 'Only https addresses are called.'
  if (url.port !== '' && Number(url.port) < 1024) return `The port ${url.port} is not one for https.`
  const host = hostOf(url)
  if (isIP(host)) return isPublicAddress(host) ? null : `The address ${host} is not on the public internet.`
  return FORBIDDEN_NAMES.test(host) || !host.includes('.') ? `The host ${host} leads into a private network.` : null
}

/** Returns the host without the brackets of IPv6 and without the final dot of an absolute name. */
export const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** Resolves a host name to addresses. Returns an empty list if it has none. */
export type HostResolver = (name: string) => Promise<readonly string[]>

const LOOKUP_TTL_MS = 5_000
const LOOKUPS_MAX = 2_000

/** Resolves through the system's resolver, IPv4 first, since a machine without IPv6 also receives AAAA records. */
export const systemLookup: HostResolver = async (name: string): Promise<readonly string[]> =>
  (await lookup(name, { all: true }).catch(() => [])).map((entry) => entry.address).sort((a, b) => isIP(a) - isIP(b))

/** Caches lookups for a few seconds, so that a busy host is not resolved for each request. Callers check the addresses at each use. */
export function cacheLookups(resolve: HostResolver): HostResolver {
  const known = new Map<string, { until: number; addresses: Promise<readonly string[]> }>()
  return (name) => {
    const entry = known.get(name)
    if (entry && entry.until > Date.now()) return entry.addresses
    if (known.size >= LOOKUPS_MAX) known.clear()
    const addresses = resolve(name)
    known.set(name, { until: Date.now() + LOOKUP_TTL_MS, addresses })
    const evict = () => void known.delete(name)
    addresses.then((found) => found.length === 0 && evict(), evict)
    return addresses
  }
}
