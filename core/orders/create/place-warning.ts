import type { Warning } from '../../../plugins/carrier/model.ts'
import { findCatalogue } from '../../platform/geo/catalogue/catalogues.ts'
import type { Destination } from '../orders.model.ts'

/** Returns true when the country has a place catalogue and the address matches no place in it. */
export const isPlaceUnknown = ({ country, resolved }: Pick<Destination, 'country' | 'resolved'>): boolean =>
  resolved.method === 'none' && findCatalogue(country) !== undefined

/** Warning that the address matches no known place; empty when it matches one. */
export const placeWarnings = ({
  stateCode,
  cityName,
  ...destination
}: Pick<Destination, 'country' | 'resolved' | 'stateCode' | 'cityName'>): Warning[] =>
  isPlaceUnknown(destination)
    ? [
        {
          code: 'place_unknown',
          message: `No place of ${destination.country} is called "${[stateCode, cityName].filter(Boolean).join(', ')}". Correct the address before it is sent.`,
        },
      ]
    : []
