import type { Config } from '../../config.ts'
import { DomainError } from '../../lib/errors/domain-error.ts'

/** Returns the host that domains of stores must point to. Throws `conflict` where the operator has configured none. */
export function domainTargetOf({ domainTarget, publicUrl }: Pick<Config, 'domainTarget' | 'publicUrl'>): string {
  const target = domainTarget ?? (publicUrl && URL.parse(publicUrl)?.hostname)
  if (target) return target.toLowerCase()
  throw new DomainError('conflict', 'This server does not accept domains. Its operator must set PUBLIC_URL or DOMAIN_TARGET.')
}
