import type { Dns } from './dns.ts'
import type { DnsFinding } from './domain-states.ts'
import type { DnsCheck } from './domains.model.ts'
import type { DomainRow } from './domains.queries.ts'

/** Returns the name of the TXT record with the proof. It is beside the domain, because a name with a CNAME has no other records. */
export const proofRecordName = (host: string) => `_serai.${host}`
/** Returns the text of the TXT record with the proof. */
export const proofRecordText = (proof: string) => `serai-domain=${proof}`

/** Queries the proof and the target of a domain in the DNS. */
export async function queryDns(dns: Dns, { host, proof }: Pick<DomainRow, 'host' | 'proof'>, target: string): Promise<DnsCheck> {
  const [texts, alias, addresses, ours] = await Promise.all([
    dns.resolveTxt(proofRecordName(host)),
    dns.resolveCname(host),
    dns.resolveAddresses(host),
    dns.resolveAddresses(target),
  ])
  const isNamed = alias === target
  const leadsHere = addresses !== null && ours !== null && addresses.length > 0 && addresses.every((address) => ours.includes(address))
  return {
    host,
    proof: { isGood: texts?.includes(proofRecordText(proof)) ?? false, isKnown: texts !== null, found: [...(texts ?? [])] },
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
export function findingFrom({ proof, target }: DnsCheck, { isProven }: { readonly isProven: boolean }): DnsFinding | null {
  if (!isProven && !proof.isGood) return proof.isKnown ? 'nothing' : null
  if (target.isGood) return 'leadsHere'
  return target.isKnown ? 'proven' : null
}

/** Describes what the owner still has to do; null where nothing is missing. */
export function describeProblem({ host, proof, target }: DnsCheck, { isProven }: { readonly isProven: boolean }): string | null {
  if (!isProven && !proof.isGood)
    return proof.isKnown ? `The TXT record at ${proofRecordName(host)} was not found, or has another value.` : 'The DNS did not answer.'
  if (target.isGood) return null
  return target.isKnown ? `${host} does not point here.` : 'The DNS did not answer.'
}
