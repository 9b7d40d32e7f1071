import { type DestinationStream, type Logger, pino } from 'pino'

/** Fields of a database error that hold values of rows. */
const VALUES_OF_ROWS = ['detail', 'where', 'query', 'parameters', 'args', 'hint', 'internal_query']

/** Patterns of personal data and secrets, and the text that replaces each. */
const MASKED: readonly (readonly [RegExp, string])[] = [
  [/[\w.%+'-]+@[\w-]+(?:\.[\w-]+)+/g, '[email]'],
  [/\+\d{8,15}(?!\d)/g, '[phone]'],
  [/(?<![\w.-])0[2-9]\d{8}(?![\w.-])/g, '[phone]'],
  [/\b(?:sk|st|at|rt|whsec)_[\w+/=-]{20,}/g, '[secret]'],
]

/** Opens the log of a process: JSON lines, without personal data and secrets. */
export const openLog = (level: string, stream?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      serializers: { err: serializeError },
      redact: { paths: ['to', 'email', 'phone', 'recipient', 'customer', 'address', '*.email', '*.phone', '*.recipient'], remove: true },
      hooks: { streamWrite: maskLine },
    },
    ...(stream ? [stream] : []),
  )

/** Masks e-mail addresses, phone numbers and credentials in a line. */
export const maskLine = (line: string): string => MASKED.reduce((text, [pattern, mark]) => text.replace(pattern, mark), line)

function serializeError(error: Error): object {
  const serialized = pino.stdSerializers.err(error) as unknown
  if (typeof serialized !== 'object' || serialized === null) return { message: String(serialized) }
  return Object.fromEntries(Object.entries(serialized).filter(([name]) => !VALUES_OF_ROWS.includes(name)))
}
