import { type Static, Type as T } from '@sinclair/typebox'
import type { Context } from '../../context.ts'
import { resourceRoutes } from '../../http/resource/resource.ts'
import { Nullable, Text } from '../../http/schema.ts'
import { Enabled, placeResource, platformOwner } from './catalogue/place-resource.ts'
import { PlaceCode } from './cities.model.ts'
import { searchableNames } from './names/searchable.ts'

const degrees = (most: number) => T.Optional(Nullable(T.Number({ minimum: -most, maximum: most, 'x-decimals': 10 })))

const Fields = T.Object({
  name: Text(120, 1),
  nameAr: T.Optional(Nullable(Text(120))),
  postalCode: T.Optional(Nullable(Text(20))),
  latitude: degrees(90),
  longitude: degrees(180),
  enabled: Enabled,
})

/** Builds the routes of a state's cities, by id or code. After a border change, both the old and the new state list a city. */
export const cityRoutes = (context: Context) =>
  resourceRoutes(context, platformOwner, {
    ...placeResource,
    name: 'city',
    plural: 'cities',
    path: '/v1/countries/:country_code/states/:state_code/cities',
    table: 'cities',
    prefix: 'cit',
    verbs: ['list', 'create', 'read', 'replace', 'remove'],
    parent: {
      name: 'state',
      table: 'states',
      params: {
        country_code: { own: ['countryCode'], theirs: 'countryCode' },
        state_code: { own: ['stateCode', 'currentStateCode'], theirs: 'code' },
      },
    },
    item: { param: 'id', by: 'code' },
    createOnlyFields: T.Object({ code: PlaceCode }),
    fields: Fields,
    readOnlyFields: {
      ...placeResource.readOnlyFields,
      currentStateCode: Nullable(T.String({ description: 'the state since the last border change' })),
    },
    defaults: { enabled: true },
    deriveValues: (values) => ({ ...placeResource.deriveValues(), folded: searchableNames(values as Static<typeof Fields>) }),
    search: 'name',
  })
