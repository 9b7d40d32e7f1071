import { Type as T } from '@sinclair/typebox'
import type { Context } from '../../../context.ts'
import { resourceRoutes } from '../../../http/resource/resource.ts'
import { Text } from '../../../http/schema.ts'
import { Enabled, placeResource, platformOwner } from './place-resource.ts'

const Code = T.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166 alpha-2; it can stand for the id' })
const TextList = (description: string) => T.Optional(T.Array(Text(20, 1), { maxItems: 50, description }))

/** Builds the routes of countries, by id or code. */
export const countryRoutes = (context: Context) =>
  resourceRoutes(context, platformOwner, {
    ...placeResource,
    name: 'country',
    plural: 'countries',
    path: '/v1/countries',
    table: 'countries',
    prefix: 'cou',
    verbs: ['list', 'create', 'read', 'replace', 'patch', 'remove'],
    item: { param: 'country_code', by: 'code' },
    createOnlyFields: T.Object({ code: Code }),
    fields: T.Object({
      name: Text(120, 1),
      nativeName: T.Optional(Text(120)),
      currencies: TextList('ISO 4217, the usual one first'),
      callingCodes: TextList('without the plus sign'),
      languages: TextList('ISO 639-1'),
      enabled: Enabled,
    }),
    defaults: { nativeName: '', currencies: [], callingCodes: [], languages: [], enabled: true },
    filters: ['enabled'],
    search: 'name',
  })
