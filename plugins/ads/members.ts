import { Type as T } from '@sinclair/typebox'
import type { DerivedAdapter } from '../kind.ts'
import { KIB, list, MIB, one, requiredMember } from '../member.ts'
import { exact, Maybe, PrintableText } from '../schema.ts'
import { EVENT_DAYS_MAX, EVENTS_MAX, EventName, Sending, Sent, Testing } from './events.model.ts'
import { Ad, AdAccount, AdSet, Campaign, ExternalId, Insight, Listing, Period, Pixel, ROWS_MAX } from './model.ts'

/** Version of this contract. An adapter names the version that it implements. */
export const CONTRACT = 1

/** Constants of an advertising platform's adapter. */
export const definition = {
  /** Standard events of the platform. */
  events: T.Array(EventName, { minItems: 1, maxItems: 100 }),
  /** True if it accepts other event names too. */
  customEvents: T.Boolean(),
  /** Secret credential that suffices to send events: with it, no sign-in is needed for them. */
  eventsToken: Maybe(PrintableText(60, 1)),
  /** Keys in an order's metadata under which storefronts store the platform's click id and cookie. */
  browser: exact({ clickId: PrintableText(40, 1), browserId: PrintableText(40, 1) }),
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
  T.Object({ rows: T.Array(row, { maxItems: ROWS_MAX }), cursor: Maybe(PrintableText(1000, 1)) })
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
  testConnection: requiredMember(one([], T.Object({ account: Maybe(PrintableText(500)) }), { bytes: 4 * KIB })),
  adAccounts: requiredMember(list([], AdAccount, 500)),
  campaigns: requiredMember(one([Listing], CampaignPage, paged)),
  adsets: requiredMember(one([Listing], AdSetPage, paged)),
  ads: requiredMember(one([Listing], AdPage, paged)),
  insights: requiredMember(one([Period], InsightPage, paged)),
  pixels: requiredMember(list([ExternalId], Pixel, 500)),
  /**
   * Sends events, each identified by its id. A rejected event is reported separately; the others arrive. Throws if the platform judged no
   * event.
   */
  sendEvents: requiredMember(one([Sending], Sent, { bytes: MIB })),
  testEvent: requiredMember(one([Testing], Sent, { bytes: 8 * KIB })),
}

/** Adapter of an advertising platform. */
export type AdsAdapter = DerivedAdapter<typeof definition, typeof members>
