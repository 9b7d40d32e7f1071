import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

/** Of what strangers write into the DNS: so many answers, so long each. */
const [ANSWERS_MAX, LENGTH_MAX] = [20, 255]
const [TIMEOUT_MS, TRIES] = [2_000, 2]
/** There is no such name, or nothing of the kind beside it. */
const NONE = new Set(['ENOTFOUND', 'ENODATA', 'NXDOMAIN', 'NODATA', 'DNS_ENOTFOUND', 'DNS_ENODATA'])

/** What the DNS answered; null where it did not. Nothing else is ever asked of a domain: no request goes to it. */
export interface Dns {
  texts(name: string): Promise<readonly string[] | null>
  alias(name: string): Promise<string | null | undefined>
  addresses(name: string): Promise<readonly string[] | null>
}

/** `servers`: addresses, with ports where they are not 53; none for those of the system. */
export function openDns(servers: readonly string[]): Dns {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (servers.length > 0) resolver.setServers(servers)
  const ask = async (work: () => Promise<readonly string[]>): Promise<readonly string[] | null> => {
    const answer = await Promise.race([work().catch(unlessNone), Bun.sleep(TIMEOUT_MS * TRIES + 500).then(() => null)])
    return answer === null ? null : answer.slice(0, ANSWERS_MAX).map((text) => text.slice(0, LENGTH_MAX))
  }
  return {
    texts: (name) => ask(async () => (await resolver.resolveTxt(name)).map((parts) => parts.join(''))),
    /** Undefined where it has none. */
    async alias(name) {
      const found = await ask(() => resolver.resolveCname(name))
      return found === null ? null : found[0]?.toLowerCase().replace(/\.$/, '')
    },
    async addresses(name) {
      if (isIP(name)) return [name]
      const [four, six] = await Promise.all([ask(() => resolver.resolve4(name)), ask(() => resolver.resolve6(name))])
      return four && six && [...four, ...six]
    },
  }
}

function unlessNone(error: { code?: string }): readonly string[] | null {
  return NONE.has(String(error.code)) ? [] : null
}
