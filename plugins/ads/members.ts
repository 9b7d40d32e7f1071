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

/** The version of this contract. An adapter names the one that it was written for. */
export const CONTRACT = 1

/** The constants of an advertising platform's adapter. */
export const definition = {
  /** Events that the platform knows by name. */
  events: T.Array(EventName, { minItems: 1, maxItems: 100 }),
  /** Whether it takes others as well. */
  customEvents: T.Boolean(),
  /** The secret credential that events alone are told with: where it was typed in, nobody has to sign in for them. */
  eventsToken: Maybe(Printed(60, 1)),
  /** Under which names storefronts keep its click and its cookie in the metadata of orders. */
  browser: exact({ clickId: Printed(40, 1), browserId: Printed(40, 1) }),
  limits: exact({
    /** Most events that it takes in one request. */
    eventsAtOnce: T.Integer({ minimum: 1, maximum: EVENTS_MAX }),
    /** An event that is older is not taken. */
    eventDays: T.Integer({ minimum: 1, maximum: EVENT_DAYS_MAX }),
    /** Most days that it tells of in one question, and rows that stand on a page. */
    insightDays: T.Integer({ minimum: 1, maximum: 90 }),
    rowsAtOnce: T.Integer({ minimum: 1, maximum: ROWS_MAX }),
  }),
}

const page = <S extends Parameters<typeof T.Array>[0]>(row: S) =>
  T.Object({ rows: T.Array(row, { maxItems: ROWS_MAX }), cursor: Maybe(Printed(1000, 1)) })
const paged = { bytes: 8 * MIB }

export const CampaignPage = page(Campaign)
export const AdSetPage = page(AdSet)
export const AdPage = page(Ad)
export const InsightPage = page(Insight)

/** What a platform can be asked, and what it may answer. */
export const members = {
  testConnection: required(one([], T.Object({ account: Maybe(Printed(500)) }), { bytes: 4 * KIB })),
  adAccounts: required(list([], AdAccount, 500)),
  campaigns: required(one([Listing], CampaignPage, paged)),
  adsets: required(one([Listing], AdSetPage, paged)),
  ads: required(one([Listing], AdPage, paged)),
  insights: required(one([Period], InsightPage, paged)),
  pixels: required(list([ExternalId], Pixel, 500)),
  /**
   * Tells of events, each known by its id. One that the platform does not take is told apart from the others, which arrive. Throws where
   * none was judged.
   */
  sendEvents: required(one([Sending], Sent, { bytes: MIB })),
  testEvent: required(one([Testing], Sent, { bytes: 8 * KIB })),
}

export type AdsAdapter = Derived<typeof definition, typeof members>
