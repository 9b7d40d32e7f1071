import { Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { get, type Operation } from '../operation.ts'
import { StorableText } from '../schema.ts'
import type { MemberName } from './members.ts'
import { DeliveryTypeSchema } from './model.ts'
import { Center, City, Fee, Rate, ServiceFee, State } from './places.model.ts'
import { AnyPlace, Query, Text } from './segments.model.ts'

/** Operations that read a carrier's geography and prices. */
export const placeOperations = {
  fees: get({
    paths: ['fees'],
    role: 'viewer',
    needs: ['fees'],
    summary: 'Delivery fees by state',
    query: Query({ stateCode: Text(16) }),
    rows: Fee,
  }),
  rates: get({
    paths: ['rates'],
    role: 'viewer',
    needs: ['rates'],
    summary: 'Prices for one parcel',
    query: Query({
      stateCode: StorableText(16, 1),
      cityName: Text(120),
      deliveryType: T.Optional(DeliveryTypeSchema),
      weightKg: T.Optional(t.Numeric({ minimum: 0, maximum: 10_000 })),
      declaredValue: T.Optional(t.Numeric({ minimum: 0, maximum: 1e9 })),
    }),
    rows: Rate,
  }),
  serviceFees: get({
    paths: ['service-fees'],
    role: 'viewer',
    needs: ['serviceFees'],
    summary: 'Charges besides delivery',
    rows: ServiceFee,
  }),
  centers: get({
    paths: ['centers'],
    role: 'viewer',
    needs: ['centers'],
    summary: 'Centres where parcels are collected',
    query: Query({ stateId: Text(64) }),
    rows: Center,
  }),
  states: get({ paths: ['states', 'wilayas'], role: 'viewer', needs: ['states'], summary: 'States served', rows: State }),
  cities: get({
    paths: ['cities', 'communes'],
    role: 'viewer',
    needs: ['cities'],
    summary: 'Cities served',
    query: Query({ stateId: Text(64) }),
    rows: City,
  }),
  geography: get({
    paths: ['geo/:kind?'],
    role: 'viewer',
    needs: ['states'],
    summary:
      "The carrier's geography: states (default), cities, centers, or compared with ours: matches (our communes with its names) and leftovers (places that only it or only we have)",
    params: T.Object({ kind: T.Optional(T.Union(['states', 'cities', 'centers', 'matches', 'leftovers'].map((kind) => T.Literal(kind)))) }),
    query: Query({ stateId: Text(64) }),
    rows: AnyPlace,
  }),
} satisfies Record<string, Operation & { readonly needs: readonly (MemberName | 'webhook')[] }>
