import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

/** Limits of answers, which anybody may have written: their number and their length. */
const [ANSWERS_MAX, LENGTH_MAX] = [20, 255]
const [TIMEOUT_MS, TRIES] = [2_000, 2]
/** Codes for a name that does not exist, or that has no record of this type. */
const NO_RECORD_CODES = new Set(['ENOTFOUND', 'ENODATA', 'NXDOMAIN', 'NODATA', 'DNS_ENOTFOUND', 'DNS_ENODATA'])

/**
 * Client of the DNS. Answers are null where the DNS did not answer. Nothing else is requested from a domain, and no connection is made to
 * it.
 */
export interface Dns {
  /** Resolves the TXT records of a name; empty where it has none. */
  resolveTxt(name: string): Promise<readonly string[] | null>
  /** Resolves the CNAME of a name; undefined where it has none. */
  resolveCname(name: string): Promise<string | null | undefined>
  /** Resolves the IP addresses of a name, or returns the name itself where it is one. */
  resolveAddresses(name: string): Promise<readonly string[] | null>
}

/** Opens a DNS client. `servers` are IP addresses, with a port where it is not 53; empty for those of the system. */
export function openDns(servers: readonly string[]): Dns {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (servers.length > 0) resolver.setServers(servers)
  const ask = async (work: () => Promise<readonly string[]>): Promise<readonly string[] | null> => {
    const answer = await Promise.race([work().catch(emptyIfNone), Bun.sleep(TIMEOUT_MS * TRIES + 500).then(() => null)])
    return answer === null ? null : answer.slice(0, ANSWERS_MAX).map((text) => text.slice(0, LENGTH_MAX))
  }
  return {
    resolveTxt: (name) => ask(async () => (await resolver.resolveTxt(name)).map((parts) => parts.join(''))),
    async resolveCname(name) {
      const found = await ask(() => resolver.resolveCname(name))
      return found === null ? null : found[0]?.toLowerCase().replace(/\.$/, '')
    },
    async resolveAddresses(name) {
      if (isIP(name)) return [name]
      const [four, six] = await Promise.all([ask(() => resolver.resolve4(name)), ask(() => resolver.resolve6(name))])
      return four && six && [...four, ...six]
    },
  }
}

function emptyIfNone(error: { code?: string }): readonly string[] | null {
  return NO_RECORD_CODES.has(String(error.code)) ? [] : null
}
