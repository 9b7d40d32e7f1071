import { type Static, Type as T } from '@sinclair/typebox'
import { languages } from '../../http/pages/language.ts'
import { exact, MapOf, Nullable, named, oneOf } from '../../http/schema.ts'

/** Maximum number of pages with chosen columns, and of columns of one page. */
export const PREFERENCE_LIMITS = { pages: 50, columns: 60 } as const

const themes = ['light', 'dark'] as const
const densities = ['comfortable', 'compact'] as const

const language = Nullable(oneOf(languages), { description: 'language of the console; null for that of the browser' })
const theme = Nullable(oneOf(themes), { description: 'null for that of the device' })
const density = oneOf(densities)
const ColumnNames = T.Array(T.String({ minLength: 1, maxLength: 40, pattern: '^[a-zA-Z][a-zA-Z0-9._-]*$' }), {
  maxItems: PREFERENCE_LIMITS.columns,
  uniqueItems: true,
})
const columnsOf = <S extends typeof ColumnNames | ReturnType<typeof Nullable<typeof ColumnNames>>>(names: S, description: string) =>
  MapOf(40, names, { maxProperties: PREFERENCE_LIMITS.pages, description })

/** Choices of a user about the look of the console. */
export const Preferences = named(
  'Preferences',
  T.Object({
    language,
    theme,
    density,
    columns: columnsOf(ColumnNames, 'names of the shown columns, in their order, by the key of the page'),
  }),
)
/** Type of {@link Preferences}. */
export type Preferences = Static<typeof Preferences>

/** Body that changes preferences. */
export const PreferenceChange = named(
  'PreferenceChange',
  exact(
    {
      language: T.Optional(language),
      theme: T.Optional(theme),
      density: T.Optional(density),
      columns: T.Optional(columnsOf(Nullable(ColumnNames), 'pages that are left out stay as they are; null forgets those of a page')),
    },
    { minProperties: 1 },
  ),
)
/** Type of {@link PreferenceChange}. */
export type PreferenceChange = Static<typeof PreferenceChange>
