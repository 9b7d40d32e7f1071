import { type Static, Type as T } from '@sinclair/typebox'
import { freeForm } from '../../http/body/free-form.ts'
import { exact, named, Timestamp } from '../../http/schema.ts'

/** Of the platform. */
export const OPTIONS_MAX = 200
/** Of all public ones together, as JSON: anybody asks for them at once, and as often as he likes. */
export const PUBLIC_BYTES = 256 * 1024

export const OptionKey = T.String({ pattern: '^[A-Za-z0-9][\\w.-]{0,99}$', description: 'letters, digits and . _ -' })
const Value = freeForm({ names: 100, nameLength: 100, bytes: 32 * 1024 })

export const Option = named(
  'Option',
  T.Object({ key: T.String(), value: Value, isPublic: T.Boolean(), createdAt: Timestamp, updatedAt: Timestamp }),
)
export type Option = Static<typeof Option>

export const OptionChange = named(
  'OptionChange',
  exact({
    value: Value,
    isPublic: T.Optional(T.Boolean({ description: 'whether everybody reads it at GET /v1/configs; no unless said' })),
  }),
)
export type OptionChange = Static<typeof OptionChange>

export const Configs = named(
  'Configs',
  T.Object({
    openSignup: T.Boolean(),
    defaultLanguage: T.String(),
    languages: T.Array(T.String()),
    defaultCountry: T.Union([T.String(), T.Null()]),
    options: freeForm({ names: OPTIONS_MAX, nameLength: 100, bytes: 8 * 1024 * 1024 }, { description: 'public options by key' }),
  }),
)
export type Configs = Static<typeof Configs>
