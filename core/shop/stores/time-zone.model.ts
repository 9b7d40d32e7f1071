import { FormatRegistry, Type as T, type TString } from '@sinclair/typebox'
import { isZone } from '../../platform/geo/catalogue/zones.ts'

FormatRegistry.Set('time-zone', isZone)

/** Creates the schema of an IANA time zone. An unknown zone is refused. */
export const TimeZone = (description: string): TString =>
  T.String({ format: 'time-zone', pattern: '^[A-Za-z_]+(/[A-Za-z0-9_+-]+)*$', maxLength: 60, description })
