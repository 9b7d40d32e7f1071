import type { Config } from '../../config.ts'
import { storeDomainErrors } from './domains.errors.ts'

/** Returns the host that domains of stores must point to. Throws `conflict` where the operator has configured none. */
export function domainTargetOf({ domainTarget, publicUrl }: Pick<Config, 'domainTarget' | 'publicUrl'>): string {
  const target = domainTarget ?? (publicUrl && URL.parse(publicUrl)?.hostname)
  if (target) return target.toLowerCase()
  throw storeDomainErrors.domainsOff()
}
