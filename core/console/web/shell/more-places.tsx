import { Link } from 'wouter-preact'
import { useStore } from '../session/store.tsx'
import { Icon } from '../ui/icons.tsx'
import { t } from '../words/words.ts'
import { placesOf } from './places.ts'

/** Places that the bar of a phone shows; the others are in its menu. */
export const PLACES_ON_BAR = 3

/** Links to the places that have no room on the bar of a phone. */
export function MorePlaces() {
  const store = useStore()
  return (
    <>
      {placesOf(store)
        .slice(PLACES_ON_BAR)
        .map(({ path, name, icon }) => (
          <Link key={path} href={`/${store.storeId}${path}`}>
            <Icon name={icon} />
            {t(name)}
          </Link>
        ))}
    </>
  )
}
