import { invalidValue } from './errors/errors.ts'

const VERSION = /^"(\d{1,9})"$/

/** Header by which a caller changes a record only while it has the version that they have read (RFC 9110, section 13.1.1). */
export const ifMatchHeader = {
  name: 'If-Match',
  in: 'header' as const,
  required: false,
  description:
    'The `version` that you have read, in quotes. With another version nothing is changed, and the answer is `version_conflict`.',
  schema: { type: 'string' as const, pattern: '^"\\d{1,9}"$' },
}

/** Returns the version that the `If-Match` of a request names; null without the header. Throws `invalid_request` for anything else. */
export function expectedVersionOf(request: Request): number | null {
  const header = request.headers.get('if-match')
  if (header === null) return null
  const version = VERSION.exec(header.trim())?.[1]
  if (version === undefined) throw invalidValue('/headers/if-match', 'Send one version in quotes, such as "3".')
  return Number(version)
}
