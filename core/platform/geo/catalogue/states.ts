import { Type as T } from '@sinclair/typebox'
import type { Context } from '../../../context.ts'
import { resourceRoutes } from '../../../http/resource/resource.ts'
import { Nullable, Text } from '../../../http/schema.ts'
import { PlaceCode } from '../cities.model.ts'
import { Enabled, placeResource, platformOwner } from './place-resource.ts'

/** Builds the routes of a country's states, by id or code. */
export const stateRoutes = (context: Context) =>
  resourceRoutes(context, platformOwner, {
    ...placeResource,
    name: 'state',
    path: '/v1/countries/:country_code/states',
    table: 'states',
    prefix: 'sta',
    verbs: ['list', 'create', 'read', 'replace', 'remove'],
    parent: { name: 'country', table: 'countries', params: { country_code: { own: ['countryCode'], theirs: 'code' } } },
    item: { param: 'state_code', by: 'code' },
    createOnlyFields: T.Object({ code: PlaceCode }),
    fields: T.Object({ name: Text(120, 1), nameAr: T.Optional(Nullable(Text(120))), enabled: Enabled }),
    defaults: { enabled: true },
    search: 'name',
  })
