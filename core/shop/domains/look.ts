import type { Dns } from './dns.ts'
import type { DnsCheck } from './domains.model.ts'
import type { DomainRow } from './domains.queries.ts'
import type { Finding } from './states.ts'

/** Beside the domain, so that a CNAME may stand at it. */
export const proofName = (host: string) => `_serai.${host}`
export const proofText = (proof: string) => `serai-domain=${proof}`

/** What stands in the DNS of a domain, beside what should. */
export async function lookAt(dns: Dns, { host, proof }: Pick<DomainRow, 'host' | 'proof'>, target: string): Promise<DnsCheck> {
  const [texts, alias, addresses, ours] = await Promise.all([
    dns.texts(proofName(host)),
    dns.alias(host),
    dns.addresses(host),
    dns.addresses(target),
  ])
  const isNamed = alias === target
  const leadsHere = addresses !== null && ours !== null && addresses.length > 0 && addresses.every((address) => ours.includes(address))
  return {
    host,
    proof: { isGood: texts?.includes(proofText(proof)) ?? false, isKnown: texts !== null, found: [...(texts ?? [])] },
    target: {
      isGood: isNamed || leadsHere,
      isKnown: isNamed || (alias !== null && addresses !== null && ours !== null),
      found: alias ? [alias] : [...(addresses ?? [])],
    },
  }
}

/** Null where the DNS did not say enough for it. `isProven`: its proof was seen before. */
export function findingOf({ proof, target }: DnsCheck, isProven: boolean): Finding | null {
  if (!isProven && !proof.isGood) return proof.isKnown ? 'nothing' : null
  if (target.isGood) return 'leadsHere'
  return target.isKnown ? 'proven' : null
}

/** What its owner has yet to do, in words. */
export function problemOf({ host, proof, target }: DnsCheck, isProven: boolean): string | null {
  if (!isProven && !proof.isGood)
    return proof.isKnown ? `The TXT record at ${proofName(host)} was not found, or says something else.` : 'The DNS did not answer.'
  if (target.isGood) return null
  return target.isKnown ? `${host} does not lead here.` : 'The DNS did not answer.'
}
