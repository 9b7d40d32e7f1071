const GAP = 4

/** Moves a shown popover below its opener, or above where there is no room, and keeps it inside the window. */
export function placeBeside(opener: HTMLElement, list: HTMLElement): void {
  const [from, size] = [opener.getBoundingClientRect(), list.getBoundingClientRect()]
  const isBelow = from.bottom + GAP + size.height <= innerHeight || from.top < size.height
  const start = document.documentElement.dir === 'rtl' ? from.right - size.width : from.left
  list.style.margin = '0'
  list.style.inset = 'auto'
  list.style.top = `${Math.max(GAP, isBelow ? Math.min(from.bottom + GAP, innerHeight - size.height - GAP) : from.top - size.height - GAP)}px`
  list.style.setProperty('left', `${Math.min(Math.max(GAP, start), innerWidth - size.width - GAP)}px`)
}
