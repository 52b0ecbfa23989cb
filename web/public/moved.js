// On the page at an old address of a lesson: goes to the new one, to the same section or state.
const to = new URL(document.querySelector('link[rel=canonical]').href);
to.search = location.search;
to.hash = location.hash || to.hash;
location.replace(to);
