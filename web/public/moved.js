// On the page at an old address of a lesson: goes to the new one, to the same section or state.
location.replace(document.querySelector('link[rel=canonical]').href + location.search + location.hash);
