import { Type as T } from '@sinclair/typebox'
import { KIB, list, type Member, MIB, nothing, one, requiredMember, webhookOf } from '../member.ts'
import { Maybe } from '../schema.ts'
import { CashBatch, CashBatchDetail, CashLine } from './cash.model.ts'
import { type Carrier, changeFields, type Webhook } from './contract.ts'
import { CarrierParcel, DeliveryTypeSchema, Label, ParcelPage, Sent, SentRow, Shipment, StatusReport, StockProduct } from './model.ts'
import { Center, City, Fee, Rate, ServiceFee, State } from './places.model.ts'

type FunctionsOf<O> = { [K in keyof O]-?: NonNullable<O[K]> extends (...given: never[]) => unknown ? K : never }[keyof O] & string
/** Names of all functions of a carrier: `send`, `webhook.receive`, `cash.batches`. */
export type MemberName =
  | FunctionsOf<Carrier>
  | `webhook.${FunctionsOf<Webhook<never, never>>}`
  | `cash.${FunctionsOf<NonNullable<Carrier['cash']>>}`

const Text = T.String()
const TrackingId = Text
const TrackingIds = T.Array(TrackingId)
const OfState = T.Object({ stateId: Maybe(Text) })
const Query = T.Object({ cursor: Maybe(Text), limit: T.Number(), status: Maybe(Text), since: Maybe(Text) })
const Quote = T.Object({
  stateCode: Text,
  cityName: Maybe(Text),
  deliveryType: Maybe(DeliveryTypeSchema),
  weightKg: Maybe(T.Number()),
  dimensions: Shipment.properties.dimensions,
  declaredValue: Maybe(T.Number()),
})
const Secrets = T.Object({ credentials: Maybe(T.Record(Text, T.String({ maxLength: 2000 }), { maxProperties: 40 })) })

/** Returns a problem if `setupWebhook` returned a credential that the carrier does not declare. */
function undeclaredSecret(answer: unknown, { credentials }: Pick<Carrier, 'credentials'>): string | undefined {
  const given = (answer as { credentials?: object }).credentials ?? {}
  const undeclared = Object.keys(given).find((name) => !Object.hasOwn(credentials, name))
  return undeclared === undefined ? undefined : `/credentials/${undeclared}: not a declared credential`
}

const SignIn = T.Object({ login: T.String({ minLength: 1, maxLength: 254 }), password: T.String({ minLength: 1, maxLength: 200 }) })

/** Functions of a carrier, with the schemas of their arguments and results. Results are validated before use. */
export const members = {
  testConnection: requiredMember(one([], T.Object({ account: Maybe(T.String({ maxLength: 500 })) }), { bytes: 4 * KIB })),
  /**
   * Exchanges a user's login at the carrier for a token, returned as the credentials that hold it. It runs without a connection: the
   * context only has settings.
   */
  createToken: one([SignIn], T.Record(T.String({ maxLength: 60 }), T.String({ maxLength: 500 })), { bytes: 8 * KIB }),
  send: requiredMember(one([Shipment], Sent)),
  sendMany: list([T.Array(Shipment)], SentRow, 1000),
  findByReference: one([Text], T.Union([Sent, T.Null()])),
  edit: nothing([TrackingId, T.Partial(T.Pick(Shipment, changeFields))]),
  cancel: nothing([TrackingId]),
  validate: nothing([TrackingId]),
  track: list([TrackingIds], CarrierParcel, 10_000),
  list: one([Query], ParcelPage, { bytes: 8 * MIB }),
  labels: list([TrackingIds], Label, 1000, { bytes: 21 * MIB }),
  states: list([], State, 10_000),
  cities: list([OfState], City, 50_000),
  centers: list([OfState], Center, 50_000),
  fees: list([T.Object({ stateCode: Maybe(Text) })], Fee, 50_000),
  rates: list([Quote], Rate, 1000),
  serviceFees: list([], ServiceFee, 1000),
  stockProducts: list([], StockProduct, 50_000),
  setupWebhook: one([Text], Secrets, { problem: undeclaredSecret }),
  ...webhookOf(StatusReport),
  'cash.preview': list([], CashLine, 50_000),
  'cash.batches': requiredMember(list([], CashBatch, 10_000)),
  'cash.batch': requiredMember(one([Text], CashBatchDetail, { bytes: 8 * MIB })),
  'cash.confirm': one([Text], CashBatch),
} satisfies Record<MemberName, Member>
