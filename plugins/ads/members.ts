import { Type as T } from '@sinclair/typebox'
import type { Derived } from '../kind.ts'
import { KIB, list, MIB, one, required } from '../member.ts'
import { exact, Maybe, Printed } from '../schema.ts'
import {
  Ad,
  AdAccount,
  AdSet,
  Campaign,
  EVENT_DAYS_MAX,
  EVENTS_MAX,
  EventName,
  ExternalId,
  Insight,
  Listing,
  Period,
  Pixel,
  ROWS_MAX,
  Sending,
  Sent,
  Testing,
} from './model.ts'

/** Version of this contract. An adapter names the version that it implements. */
export const CONTRACT = 1

/** Constants of an advertising platform's adapter. */
export const definition = {
  /** Standard events of the platform. */
  events: T.Array(EventName, { minItems: 1, maxItems: 100 }),
  /** True if it accepts other event names too. */
  customEvents: T.Boolean(),
  /** Secret credential that suffices to send events: with it, no sign-in is needed for them. */
  eventsToken: Maybe(Printed(60, 1)),
  /** Keys in an order's metadata under which storefronts store the platform's click id and cookie. */
  browser: exact({ clickId: Printed(40, 1), browserId: Printed(40, 1) }),
  limits: exact({
    /** Maximum number of events in one request. */
    eventsAtOnce: T.Integer({ minimum: 1, maximum: EVENTS_MAX }),
    /** Maximum age of an event in days. */
    eventDays: T.Integer({ minimum: 1, maximum: EVENT_DAYS_MAX }),
    /** Maximum number of days in one request for insights, and of rows on a page. */
    insightDays: T.Integer({ minimum: 1, maximum: 90 }),
    rowsAtOnce: T.Integer({ minimum: 1, maximum: ROWS_MAX }),
  }),
}

const page = <S extends Parameters<typeof T.Array>[0]>(row: S) =>
  T.Object({ rows: T.Array(row, { maxItems: ROWS_MAX }), cursor: Maybe(Printed(1000, 1)) })
const paged = { bytes: 8 * MIB }

/** A page of campaigns. */
export const CampaignPage = page(Campaign)
/** A page of ad sets. */
export const AdSetPage = page(AdSet)
/** A page of ads. */
export const AdPage = page(Ad)
/** A page of insights. */
export const InsightPage = page(Insight)

/** Functions of an advertising platform, with the schemas of their arguments and results. */
export const members = {
  testConnection: required(one([], T.Object({ account: Maybe(Printed(500)) }), { bytes: 4 * KIB })),
  adAccounts: required(list([], AdAccount, 500)),
  campaigns: required(one([Listing], CampaignPage, paged)),
  adsets: required(one([Listing], AdSetPage, paged)),
  ads: required(one([Listing], AdPage, paged)),
  insights: required(one([Period], InsightPage, paged)),
  pixels: required(list([ExternalId], Pixel, 500)),
  /**
   * Sends events, each identified by its id. A rejected event is reported separately; the others arrive. Throws if the platform judged no
   * event.
   */
  sendEvents: required(one([Sending], Sent, { bytes: MIB })),
  testEvent: required(one([Testing], Sent, { bytes: 8 * KIB })),
}

/** Adapter of an advertising platform. */
export type AdsAdapter = Derived<typeof definition, typeof members>
