import { type Static, Type as T } from '@sinclair/typebox'
import { freeForm } from '../../http/body/free-form.ts'
import { exact, named, Timestamp } from '../../http/schema.ts'

/** Maximum number of options. */
export const OPTIONS_MAX = 200
/** Maximum bytes of all public options as JSON. They are served together and often. */
export const PUBLIC_BYTES = 256 * 1024

/** Schema of the key of an option. */
export const OptionKey = T.String({ pattern: '^[A-Za-z0-9][\\w.-]{0,99}$', description: 'letters, digits and . _ -' })
const Value = freeForm({ names: 100, nameLength: 100, bytes: 32 * 1024 })

/** Schema of an option. */
export const Option = named(
  'Option',
  T.Object({ key: T.String(), value: Value, isPublic: T.Boolean(), createdAt: Timestamp, updatedAt: Timestamp }),
)
/** Type of {@link Option}. */
export type Option = Static<typeof Option>

/** Schema of the body that sets an option. */
export const OptionChange = named(
  'OptionChange',
  exact({
    value: Value,
    isPublic: T.Optional(T.Boolean({ description: 'whether everyone can read it at GET /v1/configs; false by default' })),
  }),
)
/** Type of {@link OptionChange}. */
export type OptionChange = Static<typeof OptionChange>

/** Schema of the public configuration. */
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
/** Type of {@link Configs}. */
export type Configs = Static<typeof Configs>
