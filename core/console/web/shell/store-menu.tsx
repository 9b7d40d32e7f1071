import { useStore } from '../session/store.tsx'
import { Menu } from '../ui/menu.tsx'
import { Name } from '../ui/values.tsx'
import { StoreLinks } from './store-links.tsx'

/** Shows the store of the page, and leads to the user's other stores. */
export function StoreMenu() {
  const store = useStore()
  return (
    <Menu
      class="store-button"
      button={
        <>
          <span class="mark" aria-hidden="true">
            {[...store.name][0]}
          </span>
          <Name>{store.name}</Name>
        </>
      }
    >
      <StoreLinks />
    </Menu>
  )
}
