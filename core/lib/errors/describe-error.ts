import { DomainError, type FieldIssue, type FieldPath } from './domain-error.ts'

/** Reference to the list of issues, which only a response over HTTP carries. */
const SEE_DETAILS = /; see details(, and)?/
/** First words that begin a sentence and are no name, so that they continue a line in lower case. */
const OPENING = /^(A|An|Another|Allowed|At|Each|Give|Must|Name|No|Not|Only|Required|Send|That|The|There|This|Two|Unknown)\b/
const UNEXPECTED = 'Something went wrong on our side. Try again.'

/** Writes a field as text: `items[2].quantity`. */
export const describeField = (field: FieldPath): string =>
  field.map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`)).join('')

/**
 * Describes an error in one text, for callers that get no list of issues: tools of assistants, rows of batches and sheets, connectors. Names
 * each wrong field with its rule: `price: at most 2 decimals; cost: must be positive.` Hides the text of unexpected errors.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof DomainError)) return UNEXPECTED
  const { message, issues } = error
  const [only] = issues
  if (!only) return message
  const described = issues.map((issue, at) => describeIssue(issue, { isLast: at === issues.length - 1 })).join('; ')
  if (issues.length === 1 && only.message === message) return described
  const summary = message.replace(SEE_DETAILS, (_, and) => (and ? '; see' : ''))
  return SEE_DETAILS.test(message) && summary.indexOf('.') === summary.length - 1
    ? `${summary.slice(0, -1)}: ${described}`
    : `${summary} ${described}`
}

function describeIssue({ field, message }: FieldIssue, { isLast }: { readonly isLast: boolean }): string {
  const sentence = isLast ? message : message.replace(/\.$/, '')
  if (field.length === 0) return sentence
  return `${describeField(field)}: ${sentence.replace(OPENING, (word) => word.toLowerCase())}`
}
