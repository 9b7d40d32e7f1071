import type { FieldPath } from './domain-error.ts'

/** Writes a field as JSON pointer below `root` (RFC 6901). */
export const writePointer = (root: string, field: FieldPath): string =>
  [root, ...field.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)].join('')

/** Parses a JSON pointer, such as the path of a schema's problem, as a field. Indexes of lists become numbers. */
export const parsePointer = (pointer: string): FieldPath =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')))
