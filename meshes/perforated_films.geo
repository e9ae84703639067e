// Four parallel square films of 1 um with a square array of round holes, one above the other along z, as open surfaces.
// After Li, Chang and Lomakin, chapter 19, figure 19.8; holes and distances are ours. Lengths in nm.
SetFactory("OpenCASCADE");
DefineConstant[
  films = {4, Name "number of films"},
  side = {1000, Name "side of a film"},
  distance = {100, Name "distance of neighbouring films"},
  holes = {5, Name "holes along a side"},
  diameter = {100, Name "diameter of a hole"},
  h = {4.5, Name "mesh size"}
];
For f In {0 : films - 1}
  z = (f - 0.5 * (films - 1)) * distance;
  sheet = newreg;
  Rectangle(sheet) = {-side / 2, -side / 2, z, side, side};
  cuts = {};
  For i In {0 : holes - 1}
    For j In {0 : holes - 1}
      hole = newreg;
      Disk(hole) = {((i + 0.5) / holes - 0.5) * side, ((j + 0.5) / holes - 0.5) * side, z, diameter / 2};
      cuts += {hole};
    EndFor
  EndFor
  BooleanDifference{ Surface{sheet}; Delete; }{ Surface{cuts()}; Delete; }
EndFor
Mesh.MeshSizeMin = h;
Mesh.MeshSizeMax = h;
Physical Surface("films") = Surface{:};
