import type { Dns } from './dns.ts'
import type { DnsCheck } from './domains.model.ts'
import type { DomainRow } from './domains.queries.ts'
import type { Finding } from './states.ts'

/** Returns the name of the TXT record with the proof. It is beside the domain, because a name with a CNAME has no other records. */
export const proofName = (host: string) => `_serai.${host}`
/** Returns the text of the TXT record with the proof. */
export const proofText = (proof: string) => `serai-domain=${proof}`

/** Queries the proof and the target of a domain in the DNS. */
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

/**
 * Returns the finding of a check; null where the DNS did not answer enough for one. `isProven` is true where the proof was found before.
 */
export function findingOf({ proof, target }: DnsCheck, isProven: boolean): Finding | null {
  if (!isProven && !proof.isGood) return proof.isKnown ? 'nothing' : null
  if (target.isGood) return 'leadsHere'
  return target.isKnown ? 'proven' : null
}

/** Describes what the owner still has to do; null where nothing is missing. */
export function problemOf({ host, proof, target }: DnsCheck, isProven: boolean): string | null {
  if (!isProven && !proof.isGood)
    return proof.isKnown ? `The TXT record at ${proofName(host)} was not found, or has another value.` : 'The DNS did not answer.'
  if (target.isGood) return null
  return target.isKnown ? `${host} does not point here.` : 'The DNS did not answer.'
}
