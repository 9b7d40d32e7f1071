import type { Config } from '../../config.ts'
import { ApiError } from '../../http/errors/errors.ts'

/** The host that domains of stores lead to. Throws `conflict` where the operator has said none. */
export function targetOf({ domainTarget, publicUrl }: Pick<Config, 'domainTarget' | 'publicUrl'>): string {
  const target = domainTarget ?? (publicUrl && URL.parse(publicUrl)?.hostname)
  if (target) return target.toLowerCase()
  throw new ApiError('conflict', 'This server takes no domains: its operator sets PUBLIC_URL or DOMAIN_TARGET first.')
}
