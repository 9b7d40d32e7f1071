import { Type as T, type TObject } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import type { Kind } from '../kind.ts'
import { patternProblems } from '../patterns.ts'
import { exact, Maybe, oneOf, PrintableText } from '../schema.ts'

/** Schema of a declared field. Definitions may come from unreviewed code: what fits here can be shown, stored and searched safely. */
const Field = exact({
  label: PrintableText(200, 1),
  type: Maybe(oneOf(['text', 'number', 'boolean'])),
  secret: Maybe(T.Boolean()),
  optional: Maybe(T.Boolean()),
  default: Maybe(T.Union([PrintableText(2000), T.Number(), T.Boolean()])),
  options: Maybe(T.Array(PrintableText(200), { maxItems: 200 })),
  pattern: Maybe(PrintableText(200)),
  help: Maybe(PrintableText(1000)),
})
/** Declared fields by name. The pattern excludes names with a meaning in JavaScript, such as `__proto__`. */
const Fields = T.Record(T.String({ pattern: '^[a-z][A-Za-z0-9]{0,59}$' }), Field, { additionalProperties: false, maxProperties: 40 })

const RateWindow = exact({
  calls: T.Integer({ minimum: 1, maximum: 1e9 }),
  seconds: T.Number({ exclusiveMinimum: 0, maximum: 31 * 86_400 }),
})

const Address = T.String({ pattern: '^https://[^\\s]{1,500}$' })
const ParameterName = T.String({ pattern: '^[a-z][\\w.-]{0,59}(\\[\\])?$' })
const Parameters = T.Record(ParameterName, PrintableText(500), { additionalProperties: false, maxProperties: 20 })
/** Path in a token response: names separated by dots. */
const Place = T.String({ pattern: '^[\\w-]{1,60}(\\.[\\w-]{1,60}){0,5}$' })

const OAuth = exact({
  authorizeUrl: Address,
  tokenUrl: Address,
  revokeUrl: Maybe(Address),
  client: exact({ id: PrintableText(60, 1), secret: Maybe(PrintableText(60, 1)) }),
  clientAuth: Maybe(oneOf(['basic', 'body'])),
  scopes: T.Array(PrintableText(200, 1), { maxItems: 50 }),
  scopeSeparator: Maybe(PrintableText(1, 1)),
  pkce: Maybe(T.Boolean()),
  refresh: oneOf(['rotating', 'kept', 'none']),
  asks: Maybe(oneOf(['form', 'json', 'query'])),
  parameters: Maybe(exact({ authorize: Maybe(Parameters), token: Maybe(Parameters) })),
  names: Maybe(
    exact({ clientId: Maybe(ParameterName), clientSecret: Maybe(ParameterName), code: Maybe(ParameterName), scope: Maybe(ParameterName) }),
  ),
  answer: Maybe(
    exact({
      accessToken: Maybe(Place),
      refreshToken: Maybe(Place),
      expiresIn: Maybe(Place),
      expiresAt: Maybe(Place),
      error: Maybe(Place),
    }),
  ),
  fills: Maybe(T.Record(T.String({ pattern: '^[a-z][A-Za-z0-9]{0,59}$' }), Place, { additionalProperties: false, maxProperties: 10 })),
  exchange: Maybe(exact({ grant: PrintableText(100, 1), parameter: ParameterName })),
  signed: Maybe(
    exact({
      parameter: PrintableText(60, 1),
      except: Maybe(T.Array(PrintableText(60, 1), { maxItems: 10 })),
      time: PrintableText(60, 1),
      seconds: T.Integer({ minimum: 1, maximum: 3600 }),
      of: Maybe(exact({ parameter: PrintableText(60, 1), setting: PrintableText(60, 1) })),
    }),
  ),
  refusals: Maybe(T.Array(PrintableText(100, 1), { maxItems: 50 })),
})

/** Data of a group besides its functions. */
const groups: Readonly<Record<string, TObject>> = {
  webhook: exact({ unsigned: Maybe(PrintableText(60)), challenges: Maybe(T.Literal(true)) }),
}
const emptyGroup = exact({})

/** Builds the schema of all data in a definition of this kind; functions are left out. */
const definitionOf = (kind: Kind): TObject =>
  exact({
    kind: T.Literal(kind.name),
    contract: T.Integer(),
    slug: PrintableText(41, 1),
    label: PrintableText(80, 1),
    website: Maybe(T.String({ maxLength: 300, pattern: '^https?://[^\\s]+$' })),
    net: T.Array(PrintableText(253, 1), { maxItems: 50 }),
    credentials: Fields,
    settings: Fields,
    rateWindows: T.Array(RateWindow, { maxItems: 10 }),
    oauth: Maybe(OAuth),
    branded: Maybe(T.Array(T.String({ maxLength: 60 }), { maxItems: 50 })),
    ...Object.fromEntries(kind.groups.map((group) => [group, Maybe(groups[group] ?? emptyGroup)])),
    ...kind.definition,
  })

const checks = new WeakMap<Kind, TypeCheck<TObject>>()

/** Returns the compiled check of a kind's definitions: a start checks one for each adapter. */
function checkOf(kind: Kind): TypeCheck<TObject> {
  const check = checks.get(kind) ?? TypeCompiler.Compile(definitionOf(kind))
  checks.set(kind, check)
  return check
}

const PROBLEMS_MAX = 5

/** Returns the first problems of a definition's data against the schema of its kind, then those of its patterns. */
export function shapeProblems(kind: Kind, data: object): string[] {
  const check = checkOf(kind)
  // A definition without a problem, as nearly all are, is checked by compiled code alone.
  if (!check.Check(data)) return firstProblems(check, data)
  const { credentials, settings } = data as Record<'credentials' | 'settings', Record<string, { pattern?: string }>>
  const fields = [...Object.entries(settings), ...Object.entries(credentials)]
  return patternProblems(fields.flatMap(([name, { pattern }]) => (pattern === undefined ? [] : [[name, pattern] as const])))
}

function firstProblems(check: TypeCheck<TObject>, data: object): string[] {
  const found: string[] = []
  for (const { path, message } of check.Errors(data)) {
    found.push(`${path.slice(1, 100) || 'it'}: ${message}`)
    if (found.length === PROBLEMS_MAX) break
  }
  return found
}
