import { Link } from 'wouter-preact'
import { useStore } from '../../session/store.tsx'
import { placesOf } from '../../shell/places.ts'
import { Icon } from '../../ui/icons.tsx'
import { Menu } from '../../ui/menu.tsx'
import { t } from '../../words/words.ts'

/** Menu of the places, on phones: there the outcomes stand where the navigation is on other pages. */
export function PlacesMenu() {
  const store = useStore()
  return (
    <span class="desk-places">
      <Menu
        class="button quiet icon"
        label={t('nav.places')}
        button={
          <span class="mark" aria-hidden="true">
            {[...store.name][0]}
          </span>
        }
      >
        {placesOf(store).map(({ path, name, icon }) => (
          <Link key={path} href={`/${store.storeId}${path}`}>
            <Icon name={icon} />
            {t(name)}
          </Link>
        ))}
      </Menu>
    </span>
  )
}
